package dev.cleave.jmh.bench.programs;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.summingDouble;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How long people work in each office: a stream within a stream. */
final class OfficeHours {

    private OfficeHours() {}

    static String of(Staff staff, List<String> teams) {
        Map<String, Double> hours = teams.stream()
                .flatMap(team -> staff.members(team).stream())
                .map(number -> staff.member(number))
                .collect(groupingBy(Staff.Member::office, TreeMap::new, summingDouble(Staff.Member::hours)));
        return hours + "\n";
    }
}
