# Two lead at once, of which the one with the lower term commits something when the other one has led.
waypoint(1, R) :- leader(P, T, R), leader(Q, U, R), T < U.
waypoint(2, R) :- committed(P, _, T, _, R), leader(P, T, R), leader(_, U, S), S < R, T < U.
