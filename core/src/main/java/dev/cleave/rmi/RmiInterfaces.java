package dev.cleave.rmi;

import dev.cleave.call.InterfaceReader;
import dev.cleave.call.RemoteInterface;
import dev.cleave.config.Bindings;

/** Reads remote interfaces of programs that are written against {@code java.rmi}, whose values are those of Java serialization. */
public final class RmiInterfaces {

    private RmiInterfaces() {}

    /**
     * Reads an interface as it is called between two processes with the agent.
     *
     * @param service the name of its settings in an application file
     * @throws IllegalArgumentException if it cannot be called remotely
     */
    public static RemoteInterface read(Bindings bindings, String service, Class<?> type) {
        return new InterfaceReader(bindings, new JavaFormat()).read(service, type);
    }
}
