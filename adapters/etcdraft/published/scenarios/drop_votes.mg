# DropVotes: nobody is asked for a vote by s4, so that another comes to lead, and s4 follows.
drop(M) :- message(M, "s4", _, "MsgVote", _, _). # may never

goto("start", "voted") :- delivered("s4", _, "MsgVoteResp", _, _). # may never
goto("start", "follows") :- message(_, _, "s4", "MsgApp", _, _). # may never
goto("voted", "follows") :- message(_, _, "s4", "MsgApp", _, _). # may never
good("follows").
