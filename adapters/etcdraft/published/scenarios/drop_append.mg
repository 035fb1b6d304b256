# DropAppend: the first entries that a leader sends get lost on one link, and the leader sends them there again.
drop(M) :- first(M).
first(M) :- message(L, _, _, "MsgApp", _, _) |> do fn:group_by(), let M = fn:min(L).

goto("start", "lost") :- lost(_, _, "MsgApp", _, _).
goto("lost", "again") :- first(M), message(M, _, Q, _, _, _), message(L, _, Q, "MsgApp", Text, _), M < L, :string:contains(Text, "Log:1/5 ").
good("again").
