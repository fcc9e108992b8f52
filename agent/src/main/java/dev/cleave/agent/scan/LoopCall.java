package dev.cleave.agent.scan;

/**
 * A call in a loop, of a method that may be overridden.
 *
 * @param place its place, {@code Class.method (File.java:12)}
 * @param owner the internal name of the type that is called
 * @param method name and descriptor of the method that is called
 */
public record LoopCall(String place, String owner, String method) {}
