package main

import (
	"errors"
	"fmt"
	"strings"
)

// Job is one entry of the queue.
type Job struct {
	Name  string
	Parts []string
	done  bool
}

type Queue struct {
	jobs  []*Job
	index map[string]int
}

var errEmpty = errors.New("empty")

func NewQueue() *Queue {
	return &Queue{index: map[string]int{}}
}

func (q *Queue) Add(name string, parts ...string) *Queue {
	q.index[name] = len(q.jobs)
	q.jobs = append(q.jobs, &Job{Name: name, Parts: parts})
	return q
}

func (q *Queue) Find(name string) (*Job, error) {
	if len(q.jobs) == 0 {
		return nil, errEmpty
	}
	return q.jobs[q.index[name]], nil
}

func last(job *Job) string {
	return strings.ToUpper(job.Parts[len(job.Parts)-1])
}

func main() {
	queue := NewQueue().Add("build", "compile", "link").Add("test")
	for _, name := range []string{"build", "test"} {
		job, err := queue.Find(name)
		if err != nil {
			panic(err)
		}
		fmt.Println(name, last(job))
	}
}
