// Package diagram draws executions: as a space-time diagram in text, as a
// sequence diagram in the language of Mermaid, and as a story in sentences.
package diagram
