package advise

import "time"

// Tests do not depend on how fast a machine is.
func init() { patience = 10 * time.Minute }
