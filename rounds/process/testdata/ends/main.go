// Ends is a program that ends in the way that its argument names, or does what only an
// operating system has.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

var wasted []byte

// early is made before main begins, and used by it.
var early = make(chan string, 1)

func init() {
	go func() {
		time.Sleep(20 * time.Millisecond)
		early <- "made in init"
	}()
}

var _ = flag.String("name", "n1", "the `name` of this node")

var kept [][]byte

func main() {
	switch os.Args[1] {
	case "returns":
		fmt.Println(<-early, time.Now())
	case "fatal":
		fmt.Print("without an end")
		log.Fatal("it does not go on")
	case "mute":
		os.Exit(3)
	case "usage":
		_ = flag.CommandLine.Parse([]string{"-nam"})
	case "panics":
		fmt.Println("before")
		go func() { panic("boom") }()
		time.Sleep(time.Second)
	case "loops":
		for i := 0; ; i++ {
		}
	case "fills":
		for {
			kept = append(kept, make([]byte, 1<<20))
			last := kept[len(kept)-1]
			for i := range last {
				last[i] = byte(len(kept))
			}
		}
	case "pipes":
		r, w, err := os.Pipe()
		if err != nil {
			log.Fatal(err)
		}
		go func() {
			time.Sleep(30 * time.Millisecond)
			fmt.Fprintln(w, "through a pipe")
			w.Close()
		}()
		var text string
		fmt.Fscanln(r, &text)
		fmt.Println(text, time.Now())
	case "starts":
		_, err := exec.Command("/bin/true").Output()
		fmt.Println(err)
	case "collects":
		done := make(chan bool, 1)
		runtime.SetFinalizer(new([1 << 16]byte), func(*[1 << 16]byte) { done <- true })
		runtime.GC()
		fmt.Println("finalized:", <-done)
	case "says": // its arguments, and the file conf/a.conf
		for _, arg := range os.Args[2:] {
			fmt.Println(arg)
		}
		text, _ := os.ReadFile("conf/a.conf")
		fmt.Print(string(text))
		time.Sleep(time.Hour)
	case "counts": // its starts on the disk, and ends
		text, _ := os.ReadFile("starts")
		text = append(text, 'x')
		fmt.Println(len(text), os.WriteFile("starts", text, 0o600))
		os.Exit(3)
	case "needs": // that many MiB, of garbage
		n, _ := strconv.Atoi(os.Args[2])
		for range n {
			wasted = make([]byte, 1<<20)
		}
		fmt.Println("has wasted it")
	case "waits":
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
		defer stop()
		<-ctx.Done()
	case "told": // by SIGTERM, to do what its second argument says
		fmt.Println("starts")
		sigterm := make(chan os.Signal, 1)
		if os.Args[2] == "ignore" {
			signal.Ignore(syscall.SIGTERM)
		} else if os.Args[2] != "nothing" {
			signal.Notify(sigterm, syscall.SIGTERM)
		}
		<-sigterm
		fmt.Println("told")
		time.Sleep(25 * time.Millisecond)
		if os.Args[2] == "panic" {
			panic("boom")
		}
		os.Exit(3)
	case "prints":
		a, b := make(chan int), make(chan int)
		fmt.Printf("%v %p %v %v %v\n", a, b, a, struct{ c chan int }{b}, chan int(nil))
	case "asks":
		name, _ := os.Hostname()
		_, err := os.ReadFile("/proc/self/maps")
		fmt.Println(name, os.Getpid(), runtime.NumCPU(), runtime.GOMAXPROCS(8), errors.Is(err, os.ErrNotExist), os.Getenv("COLOUR"))
	}
}
