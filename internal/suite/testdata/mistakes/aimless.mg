drop(M) :- message(M, _, _, "vote", _, _).
