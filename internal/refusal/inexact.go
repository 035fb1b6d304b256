package refusal

// Inexact is the kind of the limit of a search that came to its end without a
// violation, which is no certificate because executions of one schedule may differ.
const Inexact = "inexact"
