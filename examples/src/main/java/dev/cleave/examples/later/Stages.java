package dev.cleave.examples.later;

import dev.cleave.Async;
import dev.cleave.Later;
import dev.cleave.Remote;

/** A service that makes arrays and a service that uses them: their results are streamed, and so are their arguments. */
@Remote
public interface Stages {

    /** Returns {@code count} numbers from 0 to 1. */
    @Later
    double[] table(int count);

    /** Returns all values, each multiplied by a factor. */
    @Later
    double[] scaled(@Later double[] values, double by);

    /** The sum of all values. May run although they do not arrive: only so can they be passed on before they are whole. */
    @Async
    double total(@Later double[] values);

    /** Does nothing with values; to know how long they take to come. */
    int take(double[] values);
}
