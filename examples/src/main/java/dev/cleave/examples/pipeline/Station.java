package dev.cleave.examples.pipeline;

import dev.cleave.Async;
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

    /** A sum. */
    long join(int one, long other, Integer third);

    /** How many marks a part has, and letters a text. */
    int size(Part part, String text);
}
