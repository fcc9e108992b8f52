package dev.cleave.jmh.bench;

import java.util.List;

/**
 * The contenders and workloads that are wanted; none named is all. The floor is always among the contenders.
 *
 * @param contenders names, or parts of names with {@code *}
 * @param workloads names, or parts of names with {@code *}
 */
record Choice(List<String> contenders, List<String> workloads) {

    static final Choice ALL = new Choice(List.of(), List.of());

    Choice {
        contenders = List.copyOf(contenders);
        workloads = List.copyOf(workloads);
    }

    boolean hasContender(Benchmark benchmark, String contender) {
        return contender.equals(benchmark.floor()) || any(contenders, contender);
    }

    boolean hasWorkload(String workload) {
        return any(workloads, workload);
    }

    /** Whether there is anything to measure but the floor. */
    boolean has(Benchmark benchmark) {
        return benchmark.contenders().stream().anyMatch(c -> any(contenders, c))
                && benchmark.workloads().stream().anyMatch(this::hasWorkload);
    }

    private static boolean any(List<String> wanted, String name) {
        return wanted.isEmpty() || wanted.stream().anyMatch(pattern -> matches(pattern, name));
    }

    /** Whether a name is what a pattern says. */
    static boolean matches(String pattern, String name) {
        String[] parts = pattern.split("\\*", -1);
        if (parts.length == 1) {
            return pattern.equals(name);
        }
        if (!name.startsWith(parts[0])) {
            return false;
        }
        int from = parts[0].length();
        for (int i = 1; i < parts.length - 1; i++) {
            int found = name.indexOf(parts[i], from);
            if (found < 0) {
                return false;
            }
            from = found + parts[i].length();
        }
        String last = parts[parts.length - 1];
        return name.length() - last.length() >= from && name.endsWith(last);
    }
}
