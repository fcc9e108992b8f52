package dev.cleave.broker.machines;

import dev.cleave.Remote;

/** The service of {@link TwoMachinesTest}. */
@Remote
interface Greeter {

    String greet(String name);
}
