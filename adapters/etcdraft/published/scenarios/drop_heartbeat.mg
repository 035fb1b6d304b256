# DropHeartbeat: s4 does not come to lead, and hears of no leader from the first election on. So it stands for the next.
drop(M) :- message(M, _, "s4", "MsgVoteResp", _, _).
drop(M) :- message(M, _, "s4", Kind, _, R), ofLeaders(Kind), in("elected", S), R = fn:plus(S, 1).
ofLeaders("MsgApp").
ofLeaders("MsgHeartbeat").
ofLeaders("MsgSnap"). # may never

goto("start", "elected") :- leader(_, _, _).
goto("elected", "stands") :- role("s4", "candidate", T, _), leader(_, S, _), S < T.
good("stands").
