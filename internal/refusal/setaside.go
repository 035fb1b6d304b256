package refusal

// SetAside is the kind of the limit of a question that was handed out, and that nobody
// could do.
const SetAside = "set aside"
