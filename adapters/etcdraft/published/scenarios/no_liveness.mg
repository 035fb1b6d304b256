# NoLiveness: s4 is made the leader, and then hears of s2 alone. s5 hears of nobody.
isolate("s5", R) :- round(R).
part("s4", P, R) :- far(P), leader("s4", _, _), round(R).
far("s1").
far("s3").

goto("start", "leads") :- leader("s4", _, _).
goto("leads", "stuck") :- round(150), !late(_).
late(R) :- committed(_, _, _, _, R), R > 90. # may never
bad("stuck").
