// Command saves counts in a file, which it reads when it starts. It writes the file in its
// place, which takes two calls: it is emptied, and then written. With the argument "aside" it
// writes a new file and gives that the name; NOSYNC and NODIRSYNC leave out a sync, and with
// OSYNC each write is one. With "serve" it counts when somebody asks for it, with "early" it
// answers before that, and with "beside" a goroutine answers that runs beside it. With "ask"
// it is who asks, and with "much" it writes much at once.
package main

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"time"
)

const name = "/data/count"

func main() {
	n := 0
	if text, err := os.ReadFile(name); err == nil {
		if n, err = strconv.Atoi(string(text)); err != nil {
			fmt.Println("the file is broken:", err)
			os.Exit(1)
		}
	}
	fmt.Println("has", n)
	mode := ""
	if len(os.Args) > 1 {
		mode = os.Args[1]
	}
	save := aside
	if mode == "" {
		save = inPlace
	}
	count := func() {
		n++
		if err := save([]byte(strconv.Itoa(n))); err != nil {
			panic(err)
		}
		fmt.Println("acked", n)
	}
	switch mode {
	case "serve", "early", "beside":
		serve(count, mode)
	case "ask":
		ask()
	case "much":
		much()
	}
	for {
		count()
		time.Sleep(20 * time.Millisecond)
	}
}

func serve(count func(), mode string) {
	l, err := net.Listen("tcp", ":80")
	if err != nil {
		panic(err)
	}
	for {
		c, err := l.Accept()
		if err != nil {
			panic(err)
		}
		if _, err := c.Read(make([]byte, 1)); err != nil {
			continue
		}
		answer := func() { c.Write([]byte("!")) }
		switch mode {
		case "serve":
			count()
			answer()
		case "early":
			answer()
			count()
		case "beside":
			go answer()
			count()
		}
	}
}

func ask() {
	c, err := net.Dial("tcp", "n1:80")
	if err == nil {
		c.Write([]byte("?"))
		_, err = c.Read(make([]byte, 1))
	}
	fmt.Println("answered", err == nil)
	os.Exit(0)
}

// much writes more than one message to ldfi has, and then a file.
func much() {
	if _, err := os.Stat("/data/behind"); err == nil {
		fmt.Println("what comes behind is there")
	}
	f, err := os.Create("/data/much")
	for i := 0; err == nil && i < 40; i++ {
		_, err = f.Write(make([]byte, 1<<20))
	}
	if err == nil {
		err = os.WriteFile("/data/behind", nil, 0o600)
	}
	fmt.Println("written", err)
	time.Sleep(time.Hour)
}

func inPlace(text []byte) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return written(f, text)
}

func aside(text []byte) error {
	flags := os.O_RDWR | os.O_CREATE | os.O_TRUNC
	if os.Getenv("OSYNC") != "" {
		flags |= os.O_SYNC
	}
	f, err := os.OpenFile(name+".new", flags, 0o666)
	if err != nil {
		return err
	}
	if err := written(f, text); err != nil {
		return err
	}
	if err := os.Rename(name+".new", name); err != nil {
		return err
	}
	dir, err := os.Open("/data")
	if err != nil {
		return err
	}
	defer dir.Close()
	return sync(dir, "NODIRSYNC")
}

func written(f *os.File, text []byte) error {
	defer f.Close()
	if _, err := f.Write(text); err != nil {
		return err
	}
	return sync(f, "NOSYNC")
}

func sync(f *os.File, unless string) error {
	if os.Getenv(unless) != "" {
		return nil
	}
	return f.Sync()
}
