package causality

// How a fault is the cause of a change (result.Cause).
const (
	Lost     = "lost"     // a message arrives in one execution, and is lost in the other
	Late     = "late"     // it comes only later in the other
	Later    = "later"    // it arrives later in one, or once more, and not in the other
	Crashed  = "crashed"  // a crash that others are told
	Back     = "back"     // a restart that others are told
	Stays    = "standing" // a process that has stopped keeps what it has
	Stopped  = "stopped"  // a process that has stopped does nothing
	Forgot   = "forgot"   // a process that came back has forgotten it
	Struck   = "struck"   // a process of a system is paused, comes back, or its clock or disk goes wrong
	Chosen   = "chosen"   // the environment chooses something else
	Program  = "program"  // no fault: only one of two programs has the rule, or the fact
	Settings = "settings" // no fault: the settings of two programs differ
)
