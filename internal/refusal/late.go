package refusal

// Late is the kind of the limit of a search for sets of faults of a system, some of
// which only let something come late.
const Late = "late"
