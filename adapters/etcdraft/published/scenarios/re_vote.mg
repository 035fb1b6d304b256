# ReVote: votes of s4 come when somebody is elected without them.
hold(M) :- message(M, "s4", _, "MsgVoteResp", _, _).
release(M, R) :- hold(M), in("elected", S), R = fn:plus(S, 1).
drop(M) :- message(M, "s4", _, "MsgVote", _, R), in("start", S), R = fn:plus(S, 1). # may never

goto("start", "elected") :- leader(_, _, _).
goto("elected", "voted") :- delivered("s4", _, "MsgVoteResp", _, _).
good("voted").
