# DropFVotes: each candidate loses the first two votes of each term, as many as processes may fail. Somebody is elected.
drop(M) :- place(M, N), N <= 2.
place(M, N) :- voted(M, P, T), voted(L, P, T), L <= M |> do fn:group_by(M), let N = fn:count().
voted(M, P, T) :- message(M, _, P, "MsgVoteResp", _, R), role(P, "candidate", T, S), R = fn:plus(S, 1).

goto("start", "elected") :- leader(_, _, _).
good("elected").
