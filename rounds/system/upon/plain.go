package upon

import "reflect"

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
