package dedalus_test

import (
	"fmt"

	"github.com/lineage-driven/ldfi/specs/dedalus"
)

func Example() {
	program, err := dedalus.ParseText("retry.ded", `
// ldfi: processes=a,b eot=4
log(N, M)           :- bcast(N, M);
log(N, M)@next      :- log(N, M);
log(Other, M)@async :- log(N, M), node(N, Other);
bcast("a", "hello")@1;
node("a", "b")@1;
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, rule := range program.Rules {
		fmt.Printf("line %d, at %v: %v\n", rule.Position.Line, rule.Location(), rule)
	}
	// Output:
	// line 3, at N: log(N, M) :- bcast(N, M);
	// line 4, at N: log(N, M)@next :- log(N, M);
	// line 5, at N: log(Other, M)@async :- log(N, M), node(N, Other);
}

// All errors come at once, each with its place.
func ExampleErrors() {
	_, err := dedalus.ParseText("retry.ded", "log(N, M) :- bcast(N, P);\nlog(N)@next :- log(N M);\n")
	fmt.Println(err)
	// Output:
	// retry.ded:1:8: variable M of the head has no value: no positive atom of the body has it as a column (a string would be "M")
	//     log(N, M) :- bcast(N, P);
	//            ^
	// retry.ded:2:22: unexpected 'M', expected ',' or ')'
	//     log(N)@next :- log(N M);
	//                          ^
}

func ExampleFormat() {
	text, err := dedalus.Format("retry.ded", []byte("log( N,M )@next:-log(N,M);//kept\n"))
	fmt.Printf("%s%v\n", text, err)
	// Output:
	// log(N, M)@next :- log(N, M); //kept
	// <nil>
}

func ExampleParseQuery() {
	query, err := dedalus.ParseQuery("post(c, _)@6")
	fmt.Println(query, err)
	// Output: post("c", _)@6 <nil>
}
