package dev.cleave.examples.pipeline;

import dev.cleave.CallContext;
import dev.cleave.Later;
import dev.cleave.Ref;
import dev.cleave.examples.dna.SmithWaterman;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** A station without any cleverness. */
public final class PlainStation implements Station {

    private static final int MOST_SCORES = 10;

    private final SmithWaterman compare = new SmithWaterman();
    private final int part;

    /** A station that searches the first part of the database. */
    public PlainStation() {
        this(Map.of());
    }

    /** A station that searches the part of the database of the option {@code part}, counted from 0. */
    public PlainStation(Map<String, String> options) {
        part = Integer.parseInt(options.getOrDefault("part", "0"));
    }

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
    public Ref<double[]> place(int elements) {
        return CallContext.current().put(matrix(elements));
    }

    @Override
    public Ref<double[]> raise(Ref<double[]> matrix) {
        return CallContext.current().put(add(matrix.get().clone()));
    }

    @Override
    public double total(Ref<double[]> matrix) {
        return sum(matrix.get());
    }

    @Override
    public Later.Value<double[]> first(int elements) {
        return Later.Value.of(matrix(elements));
    }

    @Override
    public Later.Value<double[]> more(Later.Value<double[]> elements) {
        return Later.Value.of(add(elements.get()));
    }

    @Override
    public double last(Later.Value<double[]> elements) {
        return sum(elements.get());
    }

    @Override
    public int next(int value) {
        return value + 1;
    }

    @Override
    public void mark(int value) {
        if (value < 0) {
            throw new IllegalArgumentException("mark: " + value + " (expected: not negative)");
        }
    }

    @Override
    public int[] search(String query, int parts, int[] best) {
        List<String> known = Sequences.KNOWN;
        IntStream own = IntStream.range(0, known.size())
                .filter(number -> number % parts == part)
                .map(number -> compare.score(query, known.get(number)));
        return IntStream.concat(Arrays.stream(best), own)
                .map(score -> -score)
                .sorted()
                .limit(MOST_SCORES)
                .map(score -> -score)
                .toArray();
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
