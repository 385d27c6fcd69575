// @peculiar/x509 finds its parts through decorators, which need this polyfill first.
import 'reflect-metadata';

export * from '@peculiar/x509';
