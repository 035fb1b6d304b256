// Package diagram draws executions: as a space-time diagram in text, as a
// sequence diagram in the language of Mermaid, and as events in sentences.
package diagram
