# ConfChangeBug: the first leader that is to remove a process keeps that to itself, and is soon alone, until the next
# one leads, and is asked as well. Then each of them hears of nobody but the process that the other one removes.
drop(M) :- message(M, P, _, "MsgApp", _, R), one(P, S), S <= R, Q = fn:minus(R, 1), !in("second", Q), !in("two logs", Q).
isolate(P, R) :- one(P, S), in("first", Q), R = fn:plus(Q, 1), T = fn:plus(S, 2), T <= R.
drop(M) :- message(M, X, _, "MsgVote", _, R), one(P, S), S < R, removes(P, X). # may never
tick(Q, 6, R) :- next(I), request(Q, I, _, _), role(Q, "follower", _, S), isolated(_, S), R = fn:plus(S, 1), in("first", S).
tick(P, 6, R) :- one(P, _), role(P, "follower", _, S), in("second", S), R = fn:plus(S, 1).
ask(Q, Text, R) :- next(I), request(Q, I, Text, _), far(_, T), R = fn:plus(T, 1).
part(P, X, R) :- far(P, T), process(X), X != P, !far(X, T), round(R), T <= R.
far(P, T) :- message(_, Q, _, "MsgApp", _, T), in("first", S), T = fn:plus(S, 1), one(L, _), Q != L, process(P), P != Q, !removes(L, P).
one(P, R) :- message(_, P, _, "MsgApp", Text, R), :string:contains(Text, "Change:"), S = fn:minus(R, 1), in("start", S).
next(I) :- request(Q, J, _, _), one(P, _), P != Q, !removes(P, Q) |> do fn:group_by(), let I = fn:min(J).
removes(P, X) :- request(P, _, Text, _), process(X), :string:ends_with(Text, X).

goto("start", "first") :- one(_, _).
goto("first", "second") :- far(_, _).
goto("second", "two logs") :- committed(_, I, T, _, _), committed(_, I, S, _, _), S != T.
bad("two logs").
