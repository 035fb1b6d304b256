// Package tabular learns which actions lead where, in tables of states and actions, as
// the baselines of the literature do: Nagendra, "Automated testing of distributed protocol
// implementations", 2024, Algorithms 2 to 4, and Mukherjee et al., OOPSLA 2020.
//
// An execution is a sequence of states and actions. A [Policy] picks the action in each
// state, and learns from the execution when it has ended. States and actions are numbers
// that the caller gives.
//
// An [Archive] keeps executions that got far, for others to go on from, and [Kinds] say which
// kinds of actions lead to new states.
package tabular
