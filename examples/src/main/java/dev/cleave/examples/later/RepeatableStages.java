package dev.cleave.examples.later;

import dev.cleave.Idempotent;
import dev.cleave.Later;
import dev.cleave.Remote;

/** Stages whose calls may be made again: their results are waited for as a whole. */
@Remote
public interface RepeatableStages extends Stages {

    @Override
    @Idempotent
    @Later
    double[] table(int count);

    @Override
    @Idempotent
    @Later
    double[] scaled(@Later double[] values, double by);
}
