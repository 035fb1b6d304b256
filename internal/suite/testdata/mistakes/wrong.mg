dropp(M) :- message(M, _, _, "vote", _, _).
crash(P) :- leader(P, _, _).
