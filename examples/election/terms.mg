# Every term has a leader.
term(1). term(2). term(3).
pre(T) :- term(T).
post(T) :- leader(_, T, _).

# Of the votes that came, two make the leader of three processes.
needs_some(T, P, 2, Q, P, R) :- leader(P, T, R), delivered(Q, P, "vote", _, R).
