# LivenessNoCQ: as Liveness, but s4 and s5 hear of each other as well, so that each of them can lead.
part(P, Q, R) :- apart(P, Q), round(R).
drop(M) :- message(M, P, Q, "MsgVote", _, R), outer(P), role(Q, _, T, S), R = fn:plus(S, 1), !leads(T, S).
leads(T, R) :- leader(_, T, R).
apart("s1", "s4").
apart("s3", "s4").
apart("s1", "s5").
apart("s2", "s5").
outer("s4").
outer("s5").

goto("start", "deposed again and again") :- terms(6).
terms(N) :- term(T) |> do fn:group_by(), let N = fn:count().
term(T) :- leader(_, T, _).
bad("deposed again and again").
