# What was acknowledged is there at each later start.
violation(Node, Batch, Has) :-
  log(Node, _, "acknowledged", "batch", Batch, Before), log(Node, _, "has", "batches", Has, After), Before < After, Has < Batch.
