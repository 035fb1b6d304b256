package upon

import (
	"fmt"
	"reflect"

	"github.com/lineage-driven/ldfi/internal/execution"
)

// plain tells whether values of a type are copied whole by an assignment, and named by
// their text.
func plain[State any]() bool { return plainType(reflect.TypeFor[State]()) }

func plainType(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.UnsafePointer, reflect.Slice, reflect.Map, reflect.Interface, reflect.Func, reflect.Chan:
		return false
	case reflect.Array:
		return plainType(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !plainType(t.Field(i).Type) {
				return false
			}
		}
	}
	return true
}

// nameOf names a value that a message has: other values have other names, also where
// fields that are not exported tell them apart. Where pointers lead further the text
// has to do that recordings have.
func nameOf(value any) string {
	if value == nil || whole(reflect.TypeOf(value)) {
		return fmt.Sprintf("%#v", value)
	}
	return fmt.Sprintf("%T %q", value, execution.PayloadText(value))
}

// whole tells whether Go's text for values of a type has all of them.
func whole(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		return plainType(t.Elem())
	case reflect.Map:
		return plainType(t.Key()) && plainType(t.Elem())
	}
	return plainType(t)
}
