package bubble

// LookAgain forgets how many goroutines were left.
func LookAgain() { looked.goroutines = 0 }
