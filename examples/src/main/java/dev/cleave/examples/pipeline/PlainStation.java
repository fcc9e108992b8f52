package dev.cleave.examples.pipeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A station without any cleverness. */
public final class PlainStation implements Station {

    @Override
    public int count(int value) {
        return value + 1;
    }

    @Override
    public long measure(long value) {
        return value + 1;
    }

    @Override
    public Integer box(Integer value) {
        return value + 1;
    }

    @Override
    public String write(String text) {
        return text + "x";
    }

    @Override
    public Part work(Part part) {
        List<String> marks = new ArrayList<>(part.marks());
        marks.add("m" + part.steps());
        return new Part(part.name(), part.steps() + 1, marks);
    }

    @Override
    public List<Part> pack(List<Part> parts) {
        List<Part> more = new ArrayList<>(parts);
        more.add(new Part("p" + parts.size(), 0, List.of()));
        return more;
    }

    @Override
    public Map<String, Part> index(Map<String, Part> parts) {
        Map<String, Part> more = new TreeMap<>(parts);
        more.put("k" + parts.size(), new Part("p", parts.size(), List.of()));
        return more;
    }

    @Override
    public double[] matrix(int elements) {
        double[] matrix = new double[elements];
        Arrays.setAll(matrix, i -> i & 7);
        return matrix;
    }

    @Override
    public double[] add(double[] matrix) {
        for (int i = 0; i < matrix.length; i++) {
            matrix[i]++;
        }
        return matrix;
    }

    @Override
    public double sum(double[] matrix) {
        double sum = 0;
        for (double each : matrix) {
            sum += each;
        }
        return sum;
    }

    @Override
    public long join(int one, long other, Integer third) {
        return one * 10_000L + other * 100 + third;
    }

    @Override
    public int size(Part part, String text) {
        return part.marks().size() * 100 + text.length();
    }
}
