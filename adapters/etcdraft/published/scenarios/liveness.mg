# Liveness: s1, s2 and s3 hear of each other, s4 of s2 alone, and s5 of s3. Whoever leads, one of s4 and s5 does not
# hear of it, and stands for election in a higher term. Who it asks soon stands as well, and deposes the leader: what
# s4 and s5 ask gets lost where nobody leads in the term of the other, so that it does not wait for ever.
part(P, Q, R) :- apart(P, Q), round(R).
drop(M) :- message(M, P, Q, "MsgVote", _, R), outer(P), role(Q, _, T, S), R = fn:plus(S, 1), !leads(T, S).
leads(T, R) :- leader(_, T, R).
apart("s1", "s4").
apart("s3", "s4").
apart("s4", "s5").
apart("s1", "s5").
apart("s2", "s5").
outer("s4").
outer("s5").

goto("start", "deposed again and again") :- terms(6).
terms(N) :- term(T) |> do fn:group_by(), let N = fn:count().
term(T) :- leader(_, T, _).
bad("deposed again and again").
