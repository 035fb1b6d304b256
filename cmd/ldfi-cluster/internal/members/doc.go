// Package members knows which workers there are: they say once a second that they are, and what they do.
// Nothing of that is kept.
package members
