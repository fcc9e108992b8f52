package dev.cleave.jmh.bench.programs;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Makes the calls of a service take a time, without computing. */
final class ServiceTime {

    private ServiceTime() {}

    /**
     * Wraps a service so that its methods first wait for a number of microseconds; returns the service itself if that
     * is 0.
     */
    static Object of(int micros, Class<?> type, Object service) {
        if (micros == 0) {
            return service;
        }
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            if (method.getDeclaringClass() != Object.class) {
                pass(micros);
            }
            return call(method, service, args);
        });
    }

    private static Object call(Method method, Object service, Object[] args) throws Throwable {
        try {
            return method.invoke(service, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static void pass(int micros) {
        long end = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(micros);
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
