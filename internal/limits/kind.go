package limits

// Kinds of limits besides those that package result names; see result.Limit.
const (
	Memory    = "memory"    // the facts take too much memory (--memory)
	Judgement = "judgement" // the search has met executions with an [UnjudgedError]
	Inexact   = "inexact"   // the search ended without a violation, and executions of one schedule may differ: that is no certificate
	Late      = "late"      // some fault sets of a system only let something come late
	SetAside  = "set aside" // the question was handed out, and nobody could do it
)
