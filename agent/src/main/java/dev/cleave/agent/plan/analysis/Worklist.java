package dev.cleave.agent.plan.analysis;

import java.util.Arrays;

/** Ops that a walk has still to come to, the last one first. */
final class Worklist {

    private int[] open = new int[16];
    private int size;

    Worklist(int first) {
        push(first);
    }

    void push(int index) {
        if (size == open.length) {
            open = Arrays.copyOf(open, 2 * size);
        }
        open[size++] = index;
    }

    int pop() {
        return open[--size];
    }

    boolean isEmpty() {
        return size == 0;
    }
}
