# The leader of round 11 is alone when it is asked to remove a process. When another leads meanwhile, each of the two
# hears of nobody from then on but the process that the other one removes.
isolate(P, R) :- leader(P, _, 11), round(R), 12 <= R, R <= 20.
part(P, X, R) :- far(P, T), process(X), X != P, !far(X, T), round(R), T <= R.
far(P, T) :- message(_, Q, _, "MsgApp", _, T), T <= 20, leader(L, _, 11), Q != L, process(P), P != Q, !removes(L, P), T > 11.
removes(P, X) :- request(P, _, Text, _), process(X), :string:ends_with(Text, X).
