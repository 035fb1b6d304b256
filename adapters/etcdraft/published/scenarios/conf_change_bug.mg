# ConfChangeBug: the first leader that is to remove a process is alone with that until another one leads, which stands
# for election at once. Of that one nobody hears but the process that the first has removed.
isolate(P, R) :- one(P, S), round(R), S <= R, Q = fn:minus(R, 1), !in("second", Q), !in("two logs", Q).
tick(Q, 20, R) :- next(I), request(Q, I, _, _), one(_, S), R = fn:plus(S, 1).
part(Q, P, R) :- message(_, Q, _, "MsgApp", _, T), one(L, S), S < T, Q != L, process(P), P != Q, !removes(L, P), round(R), T <= R.
one(P, R) :- message(_, P, _, "MsgApp", Text, R), :string:contains(Text, "Change:"), S = fn:minus(R, 1), in("start", S).
next(I) :- request(Q, J, _, _), one(P, _), P != Q, !removes(P, Q) |> do fn:group_by(), let I = fn:min(J).
removes(P, X) :- request(P, _, Text, _), process(X), :string:ends_with(Text, X).

goto("start", "first") :- one(_, _).
goto("first", "second") :- message(_, Q, _, "MsgApp", _, T), one(L, S), S < T, Q != L.
goto("second", "two logs") :- committed(_, I, T, _, _), committed(_, I, S, _, _), S != T.
bad("two logs").
