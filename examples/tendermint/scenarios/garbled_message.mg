# GarbledMessage: all that d says is garbled. The others decide.
lie(M, "Garble") :- message(M, "d", _, _, _, _).

goto("start", "decided") :- decided("a", "a0", _, _), decided("b", "a0", _, _), decided("c", "a0", _, _).
good("decided").
