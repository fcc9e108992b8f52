package dev.cleave.examples.later;

import dev.cleave.Async;
import dev.cleave.Later;
import dev.cleave.Remote;

/** What makes arrays and what uses them: their results follow the calls, as their arguments do. */
@Remote
public interface Stages {

    /** Numbers from 0 to 1, so many. */
    @Later
    double[] table(int count);

    /** All values, each multiplied by the same. */
    @Later
    double[] scaled(@Later double[] values, double by);

    /** The sum of all values. May run although they do not arrive: only so can they be passed on before they are whole. */
    @Async
    double total(@Later double[] values);

    /** Does nothing with values; to know how long they take to come. */
    int take(double[] values);
}
