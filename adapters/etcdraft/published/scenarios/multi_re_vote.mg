# MultiReVote: the votes of s4, and then its answers about entries, come behind the heartbeats of the leader.
hold(M) :- message(M, "s4", _, "MsgVoteResp", _, _).
hold(M) :- message(M, "s4", _, "MsgAppResp", _, R), in(State, S), R = fn:plus(S, 1), State != "voted", State != "answered".
release(M, R) :- hold(M), message(M, _, _, "MsgVoteResp", _, _), in("beats", S), R = fn:plus(S, 1).
release(M, R) :- hold(M), in("voted", S), R = fn:plus(S, 1).
drop(M) :- message(M, "s4", _, "MsgVote", _, R), in("start", S), R = fn:plus(S, 1). # may never

goto("start", "beats") :- message(_, _, "s4", "MsgHeartbeat", _, _).
goto("beats", "voted") :- delivered("s4", _, "MsgVoteResp", _, _).
goto("voted", "answered") :- delivered("s4", _, "MsgAppResp", _, _).
good("answered").
