# NoLiveness: s4 is elected, or is made the leader, and from its first write on hears of s2 alone, which then knows more
# than s1 and s3. s5 hears of nobody.
drop(M) :- message(M, P, _, Kind, _, R), P != "s4", ofElections(Kind), in("start", S), R = fn:plus(S, 1).
isolate("s5", R) :- round(R).
part("s4", P, R) :- far(P), writes(S), round(R), S <= R.
writes(R) :- message(_, "s4", "s2", "MsgApp", Text, R), :string:contains(Text, "Data:").
far("s1").
far("s3").
ofElections("MsgPreVote").
ofElections("MsgVote"). # may never

goto("start", "leads") :- writes(_).
goto("leads", "stuck") :- round(150), !late(_).
late(R) :- committed(_, _, _, _, R), R > 90. # may never
bad("stuck").
