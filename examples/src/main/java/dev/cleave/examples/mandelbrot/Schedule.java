package dev.cleave.examples.mandelbrot;

import java.util.List;

/** The best that machines of different speed can do together. */
final class Schedule {

    private Schedule() {}

    /**
     * The shortest time in which the machines finish equal tasks that cannot be divided.
     *
     * <p>Each task goes to the machine that would then finish first, which is optimal for equal tasks: no machine ends
     * later than it would have to with this many tasks.
     *
     * @param perTask the time that each machine takes for a task
     */
    static double best(int tasks, List<Double> perTask) {
        int[] given = new int[perTask.size()];
        double end = 0;
        for (int task = 0; task < tasks; task++) {
            int first = 0;
            for (int i = 1; i < given.length; i++) {
                if ((given[i] + 1) * perTask.get(i) < (given[first] + 1) * perTask.get(first)) {
                    first = i;
                }
            }
            given[first]++;
            end = Math.max(end, given[first] * perTask.get(first));
        }
        return end;
    }
}
