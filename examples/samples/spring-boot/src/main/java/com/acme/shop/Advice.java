package com.acme.shop;

import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.aop.interceptor.PerformanceMonitorInterceptor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts a proxy in front of the beans that call and of those that are called, as transactions or caches would. */
@Configuration(proxyBeanMethods = false)
class Advice {

    @Bean
    static PerformanceMonitorInterceptor monitor() {
        return new PerformanceMonitorInterceptor();
    }

    @Bean
    static BeanNameAutoProxyCreator proxies() {
        BeanNameAutoProxyCreator creator = new BeanNameAutoProxyCreator();
        creator.setProxyTargetClass(true);
        creator.setBeanNames("prices", "warehouse");
        creator.setInterceptorNames("monitor");
        return creator;
    }
}
