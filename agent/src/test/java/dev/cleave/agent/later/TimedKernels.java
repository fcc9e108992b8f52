package dev.cleave.agent.later;

import dev.cleave.Later;
import dev.cleave.Remote;

/** Loops whose time is measured. */
@Remote
public interface TimedKernels {

    int intDot(@Later int[] a, @Later int[] b);

    double sum(@Later double[] a);

    double[] add(@Later double[] a, @Later double[] b);

    double[][] matrixAdd(@Later double[][] a, @Later double[][] b);

    double[][] byRows(@Later double[][] a);

    double[][] byColumns(@Later double[][] a);

    int search(@Later byte[] a, int wanted);
}
