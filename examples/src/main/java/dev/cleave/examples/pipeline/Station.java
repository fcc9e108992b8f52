package dev.cleave.examples.pipeline;

import dev.cleave.Async;
import dev.cleave.Chained;
import dev.cleave.Later;
import dev.cleave.Ref;
import dev.cleave.Remote;
import java.util.List;
import java.util.Map;

/** A stage of a pipeline: each method gives back what it has been given, one step further. */
@Remote
@Async
public interface Station {

    /** One more. */
    int count(int value);

    /** One more. */
    long measure(long value);

    /** One more. */
    Integer box(Integer value);

    /** One letter more. */
    String write(String text);

    /** One mark more. */
    Part work(Part part);

    /** One part more. */
    List<Part> pack(List<Part> parts);

    /** One entry more. */
    Map<String, Part> index(Map<String, Part> parts);

    /** A matrix of a number of elements. */
    double[] matrix(int elements);

    /** Each element one more. */
    double[] add(double[] matrix);

    /** The sum of the elements. */
    double sum(double[] matrix);

    /** A matrix of a number of elements that stays at the station. */
    Ref<double[]> place(int elements);

    /** A matrix that stays at the station: each element one more. */
    Ref<double[]> raise(Ref<double[]> matrix);

    /** The sum of the elements. */
    double total(Ref<double[]> matrix);

    /** Elements that may follow the end of the call. */
    Later.Value<double[]> first(int elements);

    /** Each element one more, as it arrives. */
    Later.Value<double[]> more(Later.Value<double[]> elements);

    /** The sum of the elements. */
    double last(Later.Value<double[]> elements);

    /** One more, in the order of the calls. */
    @Chained
    int next(int value);

    /** Takes note of a number, in the order of the calls. */
    @Chained
    void mark(int value);

    /**
     * Compares a sequence with a part of the database.
     *
     * @param parts how many parts the database has; which of them, the station knows
     * @param best the best scores of other parts, highest first, at most ten
     * @return the best scores of these parts and this one
     */
    int[] search(String query, int parts, int[] best);

    /** A sum. */
    long join(int one, long other, Integer third);

    /** How many marks a part has, and letters a text. */
    int size(Part part, String text);
}
